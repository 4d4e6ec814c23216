# The command workflow-contract in a small image, not as root:
#   docker build -t workflow-contract .
#   docker run --rm -v "$PWD:/work" -e WORKFLOW_API_KEY workflow-contract check --target target.yaml
#   docker run --rm -p 4010:4010 workflow-contract serve --host 0.0.0.0
FROM node:24-alpine AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm pack --ignore-scripts && mv workflow-execution-contract-*.tgz /package.tgz

FROM node:24-alpine
COPY --from=build /package.tgz /tmp/package.tgz
RUN npm install --global --omit=optional --ignore-scripts /tmp/package.tgz && rm /tmp/package.tgz
USER node
WORKDIR /work
ENTRYPOINT ["workflow-contract"]
CMD ["--help"]
