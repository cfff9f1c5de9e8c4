#!/bin/sh
# Starts one store in the way that its own image does.
set -eu
case "$1" in
  postgres)
    mkdir -p "$PGDATA"
    chown postgres "$PGDATA"
    as="setpriv --reuid postgres --regid postgres --init-groups"
    if [ ! -e "$PGDATA/PG_VERSION" ]; then
      printf %s "$POSTGRES_PASSWORD" > /tmp/password
      chown postgres /tmp/password
      $as initdb --auth scram-sha-256 --username "$POSTGRES_USER" --pwfile /tmp/password --encoding UTF8 --locale C "$PGDATA"
      echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
      echo "create database \"$POSTGRES_DB\"" | $as postgres --single -D "$PGDATA" postgres
    fi
    exec $as postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
    ;;
  redis-server) exec "$@" --bind 0.0.0.0 --dir /data ;;
  *) exec versitygw "$@" ;;
esac
