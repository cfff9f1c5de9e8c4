// The registers of a kernel that manages itself, as functions of C: XRT gives them by xrt::ip to C++ alone.
// AMD UG1393, Working with User-Managed Kernels. Compiled once on the host of the card: docs/boards-alveo.md has the line.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include "xrt/xrt_device.h"
#if __has_include("xrt/experimental/xrt_ip.h")
#include "xrt/experimental/xrt_ip.h"
#else
#include "experimental/xrt_ip.h"
#endif

namespace {

struct Kernel {
  xrt::device device;
  xrt::ip ip;
};

// Its words go to the caller: no exception may leave a function of C.
template <typename Work>
int guarded(char *error, std::size_t size, Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception &failure) {
    std::snprintf(error, size, "%s", failure.what());
  } catch (...) {
    std::snprintf(error, size, "an unknown failure");
  }
  return -1;
}

}  // namespace

extern "C" {

void *boardwalk_open(const char *device, const char *xclbin, const char *name, char *error, std::size_t size) {
  Kernel *kernel = nullptr;
  guarded(error, size, [&] {
    xrt::device card{std::string(device)};
    const auto id = card.load_xclbin(std::string(xclbin));
    kernel = new Kernel{card, xrt::ip(card, id, std::string(name))};
  });
  return kernel;
}

int boardwalk_read(void *kernel, std::uint32_t offset, std::uint32_t *value, char *error, std::size_t size) {
  return guarded(error, size, [&] { *value = static_cast<Kernel *>(kernel)->ip.read_register(offset); });
}

int boardwalk_write(void *kernel, std::uint32_t offset, std::uint32_t value, char *error, std::size_t size) {
  return guarded(error, size, [&] { static_cast<Kernel *>(kernel)->ip.write_register(offset, value); });
}

}
