# syntax=docker/dockerfile:1
# The gateway as an image: docs/deploying.md#docker. Debian, because the GoogleSQL analyzer needs glibc. The tags are of
# versions; a build with --pull takes the latest security updates of Debian 12.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG DEBIAN_IMAGE=debian:12-slim

# 1. The package, as `npm pack` makes it for a release.
FROM ${NODE_IMAGE} AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The scripts of this package need its sources, and those of others are not needed.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN mkdir /package && npm pack --pack-destination /package

# 2. What runs, in a clean folder: the package and its own dependencies, without those of development.
FROM ${NODE_IMAGE} AS installed
WORKDIR /opt/endpoint-gateway
COPY --from=package /package/ /package/
RUN --mount=type=cache,target=/root/.npm npm install --omit=dev --no-fund --no-audit /package/*.tgz
# The package brings the Node.js that it is tested with, so the image needs no other. Nothing here can be written later.
RUN ln -s node_modules/node-linux-*/bin/node node && chmod -R a+rX,go-w .

# 3. The image: no npm, no compiler.
FROM ${DEBIAN_IMAGE}
ARG VERSION=0.2.0
LABEL org.opencontainers.image.title="endpoint-gateway" \
      org.opencontainers.image.description="Serves stored, parameterised GoogleSQL queries as endpoints, on embedded DuckDB or BigQuery" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="Apache-2.0"
# The number is fixed, so that volumes and Kubernetes's runAsNonRoot can rely on it. No one can log in as this user.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin gateway \
    && install --directory --owner=gateway --group=gateway --mode=0700 /data \
    && install --directory /project
COPY --from=installed /opt/endpoint-gateway /opt/endpoint-gateway
ENV PATH=/opt/endpoint-gateway:/opt/endpoint-gateway/node_modules/.bin:$PATH \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    DATA_DIR=/data \
    XDG_CACHE_HOME=/tmp/cache
# Compiled modules are not in DATA_DIR, which is the home of the user: a backup is restored into an empty folder only.
# `endpoints/` and `sources/` of a project go here.
WORKDIR /project
USER 10001:10001
VOLUME /data
EXPOSE 4000
# The gateway completes requests for up to 30 seconds: stop it with --stop-timeout 35.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 CMD ["endpoint-gateway", "health"]
# Without a shell in between, signals reach the gateway. It is Node 24 already, so the command starts no second process.
ENTRYPOINT ["endpoint-gateway"]
CMD ["serve"]
