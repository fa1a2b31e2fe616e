# The server of Lanyard, for a PostgreSQL of your own. docs/deployment.md says how it is run.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

# What the server needs to run. The optional packages are the binaries of the embedded PostgreSQL, 60 MB for each platform.
FROM node:24-bookworm-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/schema/operations schema/operations
COPY --from=build /build/public public
COPY --from=build /build/docs docs
COPY --from=build /build/dist/dashboard dist/dashboard
COPY --from=build /build/dist/src dist/src
# By its number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process and gets SIGTERM. Other commands: docker run IMAGE migrate, docker run IMAGE doctor.
# Of new objects little is needed for long; more room for them is memory, and hardly time; and what quiet seconds give back, the next burst pays for (decision 0032).
ENTRYPOINT ["node", "--max-semi-space-size=32", "--no-memory-reducer", "dist/src/main.js"]
CMD ["serve"]
