# One image for every process of Boardwalk: its command is the role. `docker-compose.yml` says what each needs.
ARG BASE_IMAGE=node:22-bookworm-slim
FROM ${BASE_IMAGE}

# python3 stands above the tools of builds and ends what they leave; tini hands signals on and buries orphans.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home --home-dir /data boardwalk \
  && install -d -o boardwalk -g boardwalk -m 0700 /data /run/boardwalk /connections \
    /volumes/portal /volumes/gateway /volumes/build-worker /volumes/board-server /volumes/connections /volumes/objects /volumes/metadata

WORKDIR /app
ENV BOARDWALK_HOME=/app/.boardwalk
COPY package.json package-lock.json .npmrc ./
COPY scripts/image.mjs scripts/
COPY scripts/lib scripts/lib
COPY scripts/setup scripts/setup
RUN node scripts/image.mjs packages && rm -rf .boardwalk
COPY . .
# The processes run as a user who can read what root made here, and change nothing of it.
RUN node scripts/image.mjs build \
  && rm -rf .boardwalk/cache .boardwalk/home .boardwalk/tmp .boardwalk/logs .next/cache \
  && find . ! -type l ! -perm -o+r -exec chmod a+rX {} +

ENV BOARDWALK_HOME=/data \
  BOARDWALK_BUNDLES=/app/.boardwalk/bundles \
  TOOLS_DIR=/app/.boardwalk/tools \
  NODE_ENV=production
USER boardwalk
ENTRYPOINT ["tini", "--", "node", "scripts/role.mjs"]
