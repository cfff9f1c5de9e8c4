// A fake of XRT's header: a kernel whose registers are a simulated design's, at the socket that FAKE_FABRIC names.
#pragma once
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "xrt/xrt_device.h"

namespace xrt {

class ip {
  int socket_ = -1;

  std::string ask(const std::string &line) const {
    const std::string text = line + "\n";
    if (::write(socket_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw std::runtime_error("No such device");
    std::string answer;
    for (char letter; ::read(socket_, &letter, 1) == 1 && letter != '\n';) answer += letter;
    if (answer == "error") throw std::runtime_error("read failed");
    return answer;
  }

 public:
  ip(const device &, const uuid &, const std::string &name) {
    if (name != "boardwalk_kernel") throw std::runtime_error("No IP matching '" + name + "'");
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    std::strncpy(place.sun_path, std::getenv("FAKE_FABRIC"), sizeof place.sun_path - 1);
    socket_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(socket_, reinterpret_cast<sockaddr *>(&place), sizeof place) != 0) throw std::runtime_error("No such device");
  }
  std::uint32_t read_register(std::uint32_t offset) const { return std::stoul(ask("r " + std::to_string(offset))); }
  void write_register(std::uint32_t offset, std::uint32_t value) { ask("w " + std::to_string(offset) + " " + std::to_string(value)); }
};

}  // namespace xrt
