// A fake of XRT's header: a card that is none. Of the real one it has what the board server uses, by the same names.
#pragma once
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

namespace xrt {

class uuid {};

class device {
  std::string name_;

 public:
  explicit device(const std::string &name) : name_(name) {
    if (name_ != "0000:65:00.1") throw std::runtime_error("No such device '" + name_ + "'");
  }
  uuid load_xclbin(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string magic(7, '\0');
    file.read(&magic[0], 7);
    if (magic != "xclbin2") throw std::runtime_error("Invalid xclbin");
    return uuid();
  }
};

}  // namespace xrt
