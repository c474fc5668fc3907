# The server in an image: docker build -t millrace . && docker run -p 8080:8080 -v millrace:/data millrace

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
# Docker kills what still runs 10 s after SIGTERM: the drain has to end before that.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    MILLRACE_DATA=/data \
    MILLRACE_DRAIN_TIMEOUT=7s
WORKDIR /app
RUN install -d -o node -g node -m 0750 /data
COPY package.json LICENSE ./
COPY processes ./processes
COPY routes ./routes
COPY template ./template
COPY docs ./docs
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The user node, by number: orchestrators can tell only of a number that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which hands no signal on. What is said behind the image's name are arguments of the server.
ENTRYPOINT ["node", "dist/server/main.js"]
