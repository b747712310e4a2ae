#include "store/rocksdb/directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "store/open.h"
#include "store/rocksdb/log_end.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

// FORMAT is one line: `stator <format>`.
constexpr std::string_view kFormatWord = "stator ";

// What RocksDB writes when it opens, besides the rows of the log: a manifest and small files.
constexpr std::uint64_t kOpeningBytes = 4'000'000;

Error directory_error(ErrorCode code, const std::string& directory, std::string_view what) {
  return {code, fmt::format("the data directory '{}' {}", directory, what)};
}

struct Contents {
  bool format = false;
  bool current = false;
  bool data = false;   // files that RocksDB makes only after it has written CURRENT
  bool other = false;  // anything that we would not have made
};

Contents list(const fs::path& directory, std::error_code& error) {
  Contents contents;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    const std::string extension = at->path().extension();
    if (name == "FORMAT") {
      contents.format = true;
    } else if (name == "CURRENT") {
      contents.current = true;
    } else if (extension == ".sst" || extension == ".log") {
      contents.data = true;
    } else if (name != "FORMAT.new" && name != "lost+found") {
      contents.other = true;
    }
  }
  return contents;
}

Result<void> check_format(const std::string& directory) {
  std::ifstream file(fs::path(directory) / "FORMAT");
  std::string line;
  if (!std::getline(file, line))
    return tl::unexpected<Error>(damaged_directory(directory, "FORMAT cannot be read"));
  int version = 0;
  if (line.starts_with(kFormatWord)) {
    const char* digits = line.data() + kFormatWord.size();
    std::from_chars(digits, line.data() + line.size(), version);
  }
  if (version <= 0)
    return tl::unexpected<Error>(damaged_directory(directory, "FORMAT is not one of ours"));
  if (version > kDirectoryFormat) {
    return tl::unexpected<Error>(directory_error(
        ErrorCode::unavailable, directory,
        fmt::format("was written by a newer version: it has format {}, this program reads up to {}",
                    version, kDirectoryFormat)));
  }
  return {};
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] bool write_all(std::string_view bytes) const {
    return fd_ >= 0 &&
           ::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  [[nodiscard]] bool sync() const { return fd_ >= 0 && ::fsync(fd_) == 0; }

 private:
  int fd_;
};

// Written aside and renamed, so that it is whole or absent.
Result<void> write_format(const std::string& directory) {
  const fs::path aside = fs::path(directory) / "FORMAT.new";
  const auto written = [&] {
    const Descriptor file(aside, O_WRONLY | O_CREAT | O_TRUNC);
    return file.write_all(fmt::format("{}{}\n", kFormatWord, kDirectoryFormat)) && file.sync();
  };
  if (written() && ::rename(aside.c_str(), (fs::path(directory) / "FORMAT").c_str()) == 0 &&
      Descriptor(directory, O_RDONLY | O_DIRECTORY).sync()) {
    return {};
  }
  return tl::unexpected<Error>(
      directory_error(ErrorCode::out_of_space, directory,
                      fmt::format("is not writable: {}", std::strerror(errno))));
}

template <class Bytes>
std::uint64_t sum_of_logs(const std::string& directory, Bytes bytes_of) {
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".log") sum += bytes_of(at->path());
  }
  return sum;
}

}  // namespace

Error damaged_directory(const std::string& directory, std::string_view what) {
  return directory_error(ErrorCode::corruption, directory,
                         fmt::format("is damaged: {}; nothing was changed", what));
}

std::uint64_t file_number(std::string_view name) {
  const std::size_t from = name.find_first_of("0123456789");
  std::uint64_t number = 0;
  if (from != std::string_view::npos) std::from_chars(name.data() + from, name.data() + name.size(), number);
  return number;
}

Result<void> check_room(const std::string& directory, std::uint64_t available_bytes) {
  const auto file_bytes = [](const fs::path& log) -> std::uint64_t {
    std::error_code gone;
    const std::uint64_t bytes = fs::file_size(log, gone);
    return gone ? 0 : bytes;
  };
  if (available_bytes >= kOpeningBytes + sum_of_logs(directory, file_bytes)) return {};
  // Not all of a log need be records.
  const std::uint64_t needed_bytes = kOpeningBytes + sum_of_logs(directory, [&](const fs::path& log) {
                                       return find_log_end(log).value_or(file_bytes(log));
                                     });
  if (available_bytes >= needed_bytes) return {};
  return fail(
      ErrorCode::out_of_space,
      fmt::format("the disk of the data directory '{}' is full: {} MB are needed to open it",
                  directory, (needed_bytes + 999'999) / 1'000'000));
}

Result<void> check_room(const std::string& directory) {
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error) return {};  // then it is for the first write to say what is wrong
  return check_room(directory, space.available);
}

Result<void> prepare_directory(const std::string& directory) {
  std::error_code error;
  if (!fs::exists(directory, error) && !fs::create_directory(directory, error)) {
    return tl::unexpected<Error>(directory_error(
        ErrorCode::out_of_space, directory, fmt::format("cannot be created: {}", error.message())));
  }
  if (!fs::is_directory(directory, error)) {
    return tl::unexpected<Error>(
        directory_error(ErrorCode::unavailable, directory, "is not a directory"));
  }
  const Contents contents = list(directory, error);
  if (error) {
    return tl::unexpected<Error>(directory_error(
        ErrorCode::unavailable, directory, fmt::format("cannot be read: {}", error.message())));
  }
  if (!contents.format) {
    if (contents.current || contents.data || contents.other) {
      return tl::unexpected<Error>(directory_error(
          ErrorCode::unavailable, directory, "is not empty and holds no data of this program"));
    }
    return write_format(directory);
  }
  TRY_VOID(check_format(directory));
  // RocksDB would take this for a new database, and remove the files of the old one.
  if (!contents.current && contents.data) {
    return tl::unexpected<Error>(damaged_directory(directory, "the file CURRENT is missing"));
  }
  return {};
}

}  // namespace stator::store
