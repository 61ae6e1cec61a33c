// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roofwalk {

/// A descriptor that is closed with its owner.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { reset(); }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool open() const { return number_ >= 0; }
    void reset();
    /// 0, or the errno of a late write error that only closing brings to light.
    [[nodiscard]] int close();

  private:
    int number_ = -1;
};

}  // namespace roofwalk
