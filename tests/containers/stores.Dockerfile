# Postgres and Redis as Debian packs them, behind the commands and variables of their own images.
ARG BASE_IMAGE
FROM ${BASE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends postgresql redis-server wget \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data \
  && install -d -o redis -g redis /data
COPY --chmod=0755 store.sh /usr/local/bin/store
COPY --chmod=0755 versitygw /usr/local/bin/versitygw
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
ENTRYPOINT ["store"]
