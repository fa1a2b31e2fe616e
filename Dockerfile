# Lanyard server for an external PostgreSQL. See docs/deployment.md.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --no-audit --no-fund
COPY . .
RUN npm run build

# Production packages. The optional ones are the binaries of the embedded PostgreSQL, 60 MB per
# platform.
FROM node:24-bookworm-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/schema/operations schema/operations
COPY --from=build /build/schema/schema.graphql schema/schema.graphql
COPY --from=build /build/public public
COPY --from=build /build/docs docs
COPY --from=build /build/CHANGELOG.md /build/SECURITY.md /build/.env.example ./
COPY --from=build /build/clients/typescript/README.md clients/typescript/README.md
COPY --from=build /build/clients/graphql/README.md clients/graphql/README.md
COPY --from=build /build/clients/python/README.md clients/python/README.md
COPY --from=build /build/clients/python/examples clients/python/examples
COPY --from=build /build/dist/browser dist/browser
COPY --from=build /build/dist/src dist/src
# Numeric, so that an orchestrator can verify that it is not root.
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process and receives SIGTERM. Other commands: docker run IMAGE migrate,
# docker run IMAGE doctor.
# V8 heap settings: a bounded semi-space, no heap reduction in idle seconds, and no allocation-site
# pretenuring (decision 0032).
ENTRYPOINT ["node", "--max-semi-space-size=32", "--no-memory-reducer", "--no-allocation-site-pretenuring", "dist/src/main.js"]
CMD ["serve"]
