#include "server/metrics_page.h"

namespace stator::server {

bool MetricsPage::append_piece(base::Buffer& to) {
  std::string text;
  while (part_ != Part::none && text.size() < kPieceBytes) {
    if (!append(text)) part_ = static_cast<Part>(static_cast<int>(part_) + 1);
  }
  to.append(text);
  return part_ != Part::none;
}

// False where nothing of the part is left.
bool MetricsPage::append(std::string& to) {
  switch (part_) {
    case Part::totals:
      return totals_.append(to);
    case Part::capacity:
      return capacity_.append(to);
    case Part::rest:
      to += rest_();
      return false;
    case Part::none:
      break;
  }
  return false;
}

}  // namespace stator::server
