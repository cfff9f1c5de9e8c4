/** Name of the harness in the work folder of a build. */
export const harnessPath = "harness.cpp";

/**
 * C++ that makes a program of an emulation: it reads frames of rows and writes frames of answers, as `emulationFrames`
 * of `lib/common/emulation` has them. `shape.h`, which the script writes, says how the emulation is called.
 */
export const harness = `// Runs the emulation behind a pipe: frames of rows on standard input, frames of answers on standard output. The frames are
// those of lib/common/emulation in Boardwalk.

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include "shape.h"

namespace {

enum Kind : std::uint32_t { answer = 0, error = 1, greeting = 2 };

const std::size_t most_bytes = std::size_t(64) << 20;
int answers = -1;

template <std::size_t Count> std::size_t sum(const std::size_t (&sizes)[Count]) {
    std::size_t total = 0;
    for (std::size_t size : sizes) total += size;
    return total;
}

const std::size_t row_inputs = sum(input_sizes);
const std::size_t row_outputs = sum(output_sizes);

// False at the end of the input. Half a frame at the end is none.
bool read_all(void *target, std::size_t bytes) {
    char *at = static_cast<char *>(target);
    while (bytes > 0) {
        const ssize_t got = ::read(STDIN_FILENO, at, bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

void write_all(const void *source, std::size_t bytes) {
    const char *at = static_cast<const char *>(source);
    while (bytes > 0) {
        const ssize_t put = ::write(answers, at, bytes);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) std::_Exit(1);
        at += put;
        bytes -= static_cast<std::size_t>(put);
    }
}

void send(Kind kind, const void *payload, std::size_t bytes, std::uint64_t nanoseconds) {
    struct { std::uint32_t kind, bytes; std::uint64_t nanoseconds; } head = {
        kind, static_cast<std::uint32_t>(bytes), nanoseconds};
    static_assert(sizeof head == 16, "a head has no gaps");
    write_all(&head, sizeof head);
    write_all(payload, bytes);
}

void refuse(const std::string &text) { send(error, text.data(), text.size(), 0); }

bool skip(std::size_t bytes) {
    char rest[4096];
    while (bytes > 0) {
        const std::size_t part = bytes < sizeof rest ? bytes : sizeof rest;
        if (!read_all(rest, part)) return false;
        bytes -= part;
    }
    return true;
}

void run(std::vector<float> &rows) {
    const std::size_t count = rows.size() / row_inputs;
    for (std::size_t at = 0; at < rows.size(); at++) {
        if (std::isfinite(rows[at])) continue;
        refuse("element " + std::to_string(at % row_inputs) + " of row " + std::to_string(at / row_inputs) + " is no finite number, and fixed point has no other");
        return;
    }
    std::vector<float> outputs(count * row_outputs);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t row = 0; row < count; row++) {
        float *in[sizeof input_sizes / sizeof *input_sizes];
        float *out[sizeof output_sizes / sizeof *output_sizes];
        float *next = rows.data() + row * row_inputs;
        std::size_t index = 0;
        for (std::size_t size : input_sizes) { in[index++] = next; next += size; }
        next = outputs.data() + row * row_outputs;
        index = 0;
        for (std::size_t size : output_sizes) { out[index++] = next; next += size; }
        call(in, out);
    }
    const auto took = std::chrono::steady_clock::now() - start;
    send(answer, outputs.data(), outputs.size() * sizeof(float),
         static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(took).count()));
}

} // namespace

int main() {
    // What the generated code prints must not come between answers.
    answers = ::dup(STDOUT_FILENO);
    if (answers < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
    const std::uint32_t sizes[] = {static_cast<std::uint32_t>(row_inputs), static_cast<std::uint32_t>(row_outputs)};
    send(greeting, sizes, sizeof sizes, 0);
    const std::size_t row_bytes = row_inputs * sizeof(float);
    for (std::uint32_t bytes; read_all(&bytes, sizeof bytes);) {
        if (bytes == 0 || bytes % row_bytes != 0 || bytes > most_bytes) {
            if (!skip(bytes)) break;
            refuse(std::to_string(bytes) + " bytes are no whole rows of " + std::to_string(row_bytes) + " bytes, or more than " + std::to_string(most_bytes));
            continue;
        }
        std::vector<float> rows(bytes / sizeof(float));
        if (!read_all(rows.data(), bytes)) break;
        run(rows);
    }
    return 0;
}
`;
