#!/bin/sh
# Starts one store in the way that its own image does, as the user that its container is given.
set -eu
case "$1" in
  postgres)
    if [ ! -e "$PGDATA/PG_VERSION" ]; then
      printf %s "$POSTGRES_PASSWORD" > /tmp/password
      initdb --auth scram-sha-256 --username "$POSTGRES_USER" --pwfile /tmp/password --encoding UTF8 --locale C "$PGDATA"
      echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
      echo "create database \"$POSTGRES_DB\"" | postgres --single -D "$PGDATA" postgres
    fi
    exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
    ;;
  redis-server) exec "$@" --bind 0.0.0.0 --dir /data ;;
  *) exec versitygw "$@" ;;
esac
