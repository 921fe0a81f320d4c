#!/bin/bash
# Builds the jail inside fresh namespaces and becomes its driver. usage: enter.sh PARTS BASE DRIVER_ARGUMENT...
# PARTS holds what Node put together: driver, stub, seed, kept, marker, lists of real and stub programs, and an empty folder `root`.
set -euo pipefail
parts=$1 base=$2
shift 2
root=$parts/root

mount --make-rprivate /
mount -t tmpfs -o size=128m,mode=755 jail "$root"
cd "$root"
mkdir -p usr/bin usr/sbin proc dev etc tmp jail/log old

# Libraries come from the host, read-only; programs only by name.
for folder in /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 /lib /lib32 /lib64 /libx32; do
  if [ -L "$folder" ]; then
    ln -s "$(readlink "$folder")" ".$folder"
  elif [ -d "$folder" ]; then
    mkdir -p ".$folder"
    mount --bind "$folder" ".$folder"
    mount -o remount,bind,ro,nosuid,nodev ".$folder"
  fi
done
ln -s usr/bin bin
ln -s usr/sbin sbin
while read -r name; do cp -L "$(type -P "$name")" usr/bin/; done < "$parts/real"
ln -s dash usr/bin/sh
cp "$parts/stub" jail/stub
while read -r name; do ln jail/stub "usr/bin/$name"; done < "$parts/stubs"
cp -a "$parts/driver" "$parts/seed" "$parts/kept" "$parts/marker" jail/
cp "$(type -P setpriv)" "$(type -P umount)" jail/

echo "dev:x:0:0::$base/home:/bin/bash" > etc/passwd
for device in null zero urandom; do
  : > "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
ln -s fd/1 dev/stdout
ln -s fd/2 dev/stderr
mount -t proc -o nosuid,nodev,noexec proc proc
mount -t tmpfs -o size=8m,nr_inodes=4096,nosuid,nodev scratch tmp
mkdir -p ".$base"
mount -t tmpfs -o size=8m,nr_inodes=4096,nosuid,nodev scratch ".$base"
mkdir ".$base/repo" ".$base/home"
mount -t tmpfs -o size=4m,nosuid,nodev,noexec log jail/log

mount -o remount,bind,ro "$root"
pivot_root . old
cd /
/jail/umount -l /old
exec /jail/setpriv --no-new-privs --inh-caps=-all --bounding-set=-all /jail/driver "$@"
