#include "design/collide.h"

// Walks through two templates side by side; literals are compared character by character, because one side may have
// written as one literal what the other has cut by a field.
namespace stator::design {
namespace {

class Walk {
 public:
  Walk(const Template& reader, const Template& whole, char delimiter)
      : reader_(reader.parts()), whole_(whole.parts()), delimiter_(delimiter) {}

  Alignment run() {
    while (at_reader_ < reader_.size()) {
      if (at_whole_ >= whole_.size()) return result_;
      if (!step()) return result_;
    }
    result_.aligned = true;
    result_.parts_covered = at_whole_;
    return result_;
  }

 private:
  bool step() {
    const Part& left = reader_[at_reader_];
    const Part& right = whole_[at_whole_];
    const bool left_literal = left.kind == PartKind::literal;
    const bool right_literal = right.kind == PartKind::literal;
    if (left_literal && right_literal) return literals(left, right);
    if (!left_literal && !right_literal) {
      result_.fields.emplace_back(&left, &right);
      ++at_reader_;
      result_.ends_in_field = true;
      // A time that the reader cuts shorter is the head of a field and does not fix it; nothing can follow.
      const bool cut = left.format.kind == FormatKind::time && left.format != right.format;
      if (cut) return at_reader_ == reader_.size();
      ++at_whole_;
      return true;
    }
    if (!left_literal) return false;  // a parameter where the entity has fixed text
    return value_of_field(left);
  }

  bool literals(const Part& left, const Part& right) {
    while (in_reader_ < left.text.size() && in_whole_ < right.text.size()) {
      if (left.text[in_reader_] != right.text[in_whole_]) return false;
      ++in_reader_;
      ++in_whole_;
    }
    result_.ends_in_field = false;
    if (in_reader_ == left.text.size()) {
      ++at_reader_;
      in_reader_ = 0;
    }
    if (in_whole_ == right.text.size()) {
      ++at_whole_;
      in_whole_ = 0;
    }
    return true;
  }

  // The reader's literal goes on where the entity has a field: the text up to the delimiter is the field's value.
  bool value_of_field(const Part& left) {
    const std::size_t stop = left.text.find(delimiter_, in_reader_);
    if (stop == in_reader_) return false;
    ++at_whole_;
    result_.ends_in_field = true;
    if (stop == std::string::npos) {
      ++at_reader_;
      in_reader_ = 0;
    } else {
      in_reader_ = stop;
    }
    return true;
  }

  const std::vector<Part>& reader_;
  const std::vector<Part>& whole_;
  char delimiter_;
  Alignment result_;
  std::size_t at_reader_ = 0;
  std::size_t at_whole_ = 0;
  std::size_t in_reader_ = 0;  // characters of the current literal that are behind us
  std::size_t in_whole_ = 0;
};

}  // namespace

Alignment align(const Template& reader, const Template& whole, char delimiter) {
  return Walk(reader, whole, delimiter).run();
}

}  // namespace stator::design
