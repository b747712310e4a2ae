#pragma once

#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/attribute_value.h"

namespace stator::model {

// How a member is written into an attribute and read from it. A program specialises it for types of
// its own (enumerations, structs):
//
//   template <> struct stator::model::Codec<Status> {
//     static AttributeValue write(Status status);
//     static std::optional<Status> read(const AttributeValue& value);   // nothing: not one of them
//   };
template <class T>
struct Codec;

namespace detail {

// For the types that an AttributeValue holds as they are.
template <class T, AttributeType Type, const T& (AttributeValue::*Content)() const>
struct HeldCodec {
  static AttributeValue write(const T& value) { return AttributeValue(value); }
  static std::optional<T> read(const AttributeValue& value) {
    if (!value.is(Type)) return std::nullopt;
    return (value.*Content)();
  }
};

}  // namespace detail

template <>
struct Codec<std::string>
    : detail::HeldCodec<std::string, AttributeType::string, &AttributeValue::as_string> {};
template <>
struct Codec<Number>
    : detail::HeldCodec<Number, AttributeType::number, &AttributeValue::as_number> {};
template <>
struct Codec<Binary>
    : detail::HeldCodec<Binary, AttributeType::binary, &AttributeValue::as_binary> {};
template <>
struct Codec<StringSet>
    : detail::HeldCodec<StringSet, AttributeType::string_set, &AttributeValue::as_string_set> {};
template <>
struct Codec<NumberSet>
    : detail::HeldCodec<NumberSet, AttributeType::number_set, &AttributeValue::as_number_set> {};
template <>
struct Codec<BinarySet>
    : detail::HeldCodec<BinarySet, AttributeType::binary_set, &AttributeValue::as_binary_set> {};

template <>
struct Codec<bool> {
  static AttributeValue write(bool value) { return AttributeValue(value); }
  static std::optional<bool> read(const AttributeValue& value) {
    if (!value.is(AttributeType::boolean)) return std::nullopt;
    return value.as_bool();
  }
};

template <Integer T>
struct Codec<T> {
  static AttributeValue write(T value) { return AttributeValue(value); }
  static std::optional<T> read(const AttributeValue& value) {
    if (!value.is(AttributeType::number)) return std::nullopt;
    const std::optional<std::int64_t> number = value.as_number().to_int64();
    if (!number || !std::in_range<T>(*number)) return std::nullopt;
    return static_cast<T>(*number);
  }
};

template <>
struct Codec<AttributeValue> {
  static AttributeValue write(const AttributeValue& value) { return value; }
  static std::optional<AttributeValue> read(const AttributeValue& value) { return value; }
};

template <>
struct Codec<Item> {
  static AttributeValue write(const Item& value) { return AttributeValue(value); }
  static std::optional<Item> read(const AttributeValue& value) {
    if (!value.is(AttributeType::map)) return std::nullopt;
    return value.as_map();
  }
};

template <class T>
struct Codec<std::vector<T>> {
  static AttributeValue write(const std::vector<T>& values) {
    List list;
    for (const T& value : values) list.push_back(Codec<T>::write(value));
    return AttributeValue(std::move(list));
  }
  static std::optional<std::vector<T>> read(const AttributeValue& value) {
    if (!value.is(AttributeType::list)) return std::nullopt;
    std::vector<T> values;
    for (const AttributeValue& element : value.as_list()) {
      std::optional<T> read = Codec<T>::read(element);
      if (!read) return std::nullopt;
      values.push_back(std::move(*read));
    }
    return values;
  }
};

template <class T>
struct Codec<std::map<std::string, T>> {
  static AttributeValue write(const std::map<std::string, T>& values) {
    Item map;
    for (const auto& [name, value] : values) map.emplace(name, Codec<T>::write(value));
    return AttributeValue(std::move(map));
  }
  static std::optional<std::map<std::string, T>> read(const AttributeValue& value) {
    if (!value.is(AttributeType::map)) return std::nullopt;
    std::map<std::string, T> values;
    for (const auto& [name, content] : value.as_map()) {
      std::optional<T> read = Codec<T>::read(content);
      if (!read) return std::nullopt;
      values.emplace(name, std::move(*read));
    }
    return values;
  }
};

namespace detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
struct Unwrapped {
  using Type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};

// What every member must have; the types that have none are named in the compiler's message.
template <class T>
concept Storable = requires(const typename Unwrapped<T>::Type& value,
                            const AttributeValue& stored) {
  { Codec<typename Unwrapped<T>::Type>::write(value) } -> std::convertible_to<AttributeValue>;
  {
    Codec<typename Unwrapped<T>::Type>::read(stored)
    } -> std::convertible_to<std::optional<typename Unwrapped<T>::Type>>;
};

// A value as an attribute; nothing for an optional that is empty.
template <class T>
std::optional<AttributeValue> written(const T& value) {
  if constexpr (kIsOptional<T>) {
    if (!value) return std::nullopt;
    return Codec<typename Unwrapped<T>::Type>::write(*value);
  } else {
    return Codec<T>::write(value);
  }
}

}  // namespace detail

// Attributes that are stored compressed (Compressed<...> in stator/model/entity.h): gzip, readable
// by any program, as type B. What is short or does not get smaller is stored as it is.
inline constexpr std::size_t kCompressFromBytes = 1024;
[[nodiscard]] AttributeValue compressed(AttributeValue value,
                                        std::size_t from_bytes = kCompressFromBytes);
// The value again; nothing where the bytes are damaged or would be more than 64 MB. `as_text`: the
// attribute is of type S, otherwise B.
[[nodiscard]] std::optional<AttributeValue> decompressed(const AttributeValue& value, bool as_text);

}  // namespace stator::model
