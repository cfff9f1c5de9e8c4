#!/bin/sh
# A tool that misbehaves, one way per name.
case "$1" in
  good) echo "Info: fine"; echo result > out.bin ;;
  hang) sleep 300 ;;
  begin) echo 'Info: the first step is done'; printf 'half a line'; sleep 300 ;;
  deaf) trap '' TERM; while :; do sleep 0.05; done ;;
  fork) setsid sh -c 'setsid sleep 300 & sleep 300' & sleep 0.2; echo forked > out.bin; exit 0 ;;
  flood) yes 'Warning: the same line again and again' | head -c 30000000; echo result > out.bin ;;
  lie) exit 0 ;;
  yes) exec yes ;;
  pair) head -c 16383 /dev/zero | tr '\0' x; printf '😀\n'; printf '\033😀\n'; exit 3 ;;
  fail) echo "ERROR: no" >&2; exit 3 ;;
  signal) kill -SEGV $$ ;;
  link) ln -s /etc/passwd out.bin ;;
  hardlink) ln /etc/passwd out.bin 2>/dev/null || { echo x > other.bin; ln other.bin out.bin; } ;;
  pipe) mkfifo out.bin ;;
  memory) x=$(head -c 150000000 /dev/zero | tr '\0' x); sleep 300 ;;
  cpu) (while :; do :; done) ;;
  disk) while :; do head -c 3000000 /dev/zero >> out.bin; sleep 0.05; done ;;
  files) i=0; while :; do i=$((i + 1)); mkdir -p d$((i / 100)); : > d$((i / 100))/f$i; done ;;
  escapist) env -i setsid sh -c 'sleep 301 <&- >&- 2>&- & sleep 302 <&- >&- 2>&-' <&- >&- 2>&- & sleep 0.3; echo x > out.bin; if [ "$2" = stay ]; then sleep 300; fi ;;
  folder) mkdir out.bin ;;
  huge) truncate -s 1G out.bin ;;
  escape) echo owned > ../escaped; echo owned > /usr/escaped; echo owned > "$HOME/../escaped"; echo x > out.bin ;;
  look) cat /etc/shadow /root/.bashrc; ls /home; env ;;
  bounds) ulimit -n; ulimit -c; ulimit -f; nice; echo x > out.bin ;;
  network) exec 3<>/dev/tcp/127.0.0.1/"$2" ;;
esac
