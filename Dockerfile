# petspec as a container: docs/container.md

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
LABEL org.opencontainers.image.title="petspec" \
      org.opencontainers.image.description="Decides whether a service is an animal store service" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /opt/petspec
COPY --from=build /build/package.json /build/petspec.config.schema.json /build/petspec.requirements.schema.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/assets ./assets
COPY --from=build /build/bin ./bin
COPY --from=build /build/spec ./spec
COPY --from=build /build/dist/interface.json ./dist/interface.json
COPY --from=build /build/dist/package ./dist/package
COPY --from=build /build/reports/report.schema.json /build/reports/history.schema.json ./reports/
# Any user may write reports, also one that --user names.
RUN ln -s /opt/petspec/bin/petspec.js /usr/local/bin/petspec && mkdir -p /data && mkdir -m 1777 /data/reports
USER node
WORKDIR /data
VOLUME ["/data/reports"]
# The exec form: petspec itself gets the signals.
ENTRYPOINT ["petspec"]
CMD ["--help"]
