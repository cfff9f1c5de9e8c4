#!/bin/sh
# A fake programmer: "loads" a bitstream by putting it where the fake board boots from, and fails as real ones do.
# Usage: fake-programmer.sh FILE. The board's folder is beside this script's link.
folder=$(dirname "$0")
echo "$@" >> "$folder/calls"
if [ -e "$folder/no-cable" ]; then
  echo "Can't find a device." >&2
  exit 2
fi
cp "$1" "$folder/flash"
echo "cdone: high"
