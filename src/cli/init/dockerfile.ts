import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'

/** The user of images: a number, because a cluster cannot see that a name is not root. */
export const IMAGE_USER = 10_001
/** The data directory of images: below the volume, so that it belongs to the exchange alone. */
export const IMAGE_DATA = '/data/raay'

/** Returns a file that makes an image from the npm package: without a shell's history, a compiler or root. */
export function dockerfile(deployment: Deployment): string {
  const { version, port, publicUrl, image } = deployment
  const top = heading(
    deployment,
    'An image of Raay. With the tarball of a release in this directory, or from npm:',
    '',
    `  docker build --build-arg RAAY=./raay-${version}.tgz --tag ${image} .`,
    `  docker build --build-arg RAAY=raay@${version} --tag ${image} .`,
    `  docker run --init --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \\`,
    `    --volume raay:/data --publish 127.0.0.1:${port}:${port} ${image}`,
    '',
  )
  const probe = `fetch('http://127.0.0.1:${port}/readyz')
    .then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`
  return `${top}
# The large image has what a native addon may need to compile; none of it is in the result.
FROM node:22-bookworm AS build
ARG RAAY=raay@${version}
RUN --mount=type=bind,target=/context cd /context \\
 && npm install --global --prefix /opt/raay --omit=dev --no-audit --no-fund "$RAAY"

FROM node:22-bookworm-slim
COPY --from=build /opt/raay /opt/raay
RUN ln -s /opt/raay/bin/raay /usr/local/bin/raay \\
 && install -d -o ${IMAGE_USER} -g ${IMAGE_USER} -m 0700 /data
USER ${IMAGE_USER}:${IMAGE_USER}
WORKDIR /data
ENV NODE_ENV=production \\
    RAAY_DATA=${IMAGE_DATA} \\
    RAAY_HOST=0.0.0.0 \\
    RAAY_PORT=${port} \\
    RAAY_AUTH=accounts \\
    RAAY_PUBLIC_URL=${publicUrl.origin}
VOLUME /data
EXPOSE ${port}
# A start that replays a long journal takes longer than the start period: it is not ready before it listens.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \\
  CMD ["node", "-e", ${JSON.stringify(probe.replace(/\n */, ''))}]
STOPSIGNAL SIGTERM
ENTRYPOINT ["raay"]
CMD ["start"]
`
}
