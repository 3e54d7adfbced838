import type { Test } from 'tap'
import t from 'tap'
import { caddyfile } from '../../src/cli/init/caddyfile.js'
import { nginxSite } from '../../src/cli/init/nginx-site.js'
import { deploymentOf } from '../fixtures/deployment.js'
import { NO_CADDY, NO_NGINX, startCaddy, startNginxSite } from '../fixtures/server/proxies.js'
import { RawConnection } from '../fixtures/server/server-raw.js'
import { SMUGGLING } from '../fixtures/server/smuggling.js'
import { startTestServer } from '../fixtures/server-process.js'

/** Proxies that send the requests of all clients over few connections. */
const PROXIES: readonly (readonly [string, string | false, (t: Test, url: string) => Promise<string>])[] = [
  [
    'nginx that keeps connections',
    NO_NGINX,
    (t, url) =>
      startNginxSite(
        t,
        port => `upstream exchange { server ${new URL(url).host}; keepalive 1; }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://exchange;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Connection "";
          }
        }`,
      ),
  ],
  [
    'nginx that forwards as it reads',
    NO_NGINX,
    (t, url) =>
      startNginxSite(
        t,
        port => `upstream exchange { server ${new URL(url).host}; keepalive 1; }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://exchange;
            proxy_http_version 1.1;
            proxy_request_buffering off;
            proxy_set_header Host $http_host;
            proxy_set_header Connection "";
          }
        }`,
      ),
  ],
  [
    'the nginx of raay init',
    NO_NGINX,
    (t, url) => startNginxSite(t, port => nginxSite(deploymentOf(portOf(url), `http://localhost:${port}`))),
  ],
  [
    'the Caddy of raay init',
    NO_CADDY,
    (t, url) => startCaddy(t, port => caddyfile(deploymentOf(portOf(url), `http://localhost:${port}`))),
  ],
  [
    'Caddy with nothing but reverse_proxy',
    NO_CADDY,
    (t, url) =>
      startCaddy(
        t,
        port => `{\n  auto_https off\n}\nhttp://:${port} {\n  reverse_proxy ${new URL(url).host}\n}`,
      ),
  ],
  ['no proxy', false, async (_, url) => url],
]
const VICTIMS = 5
/** Together longer than any body that a form announces and lacks. */
const FILLERS = 20

for (const [name, skip, open] of PROXIES) {
  t.test(`behind ${name} no request hides in another`, { skip }, async t => {
    const server = await startTestServer(t)
    const code = await server.client.createEvent()
    const port = portOf(await open(t, server.url))
    const disagreements: string[] = []
    const hasProxy = name !== 'no proxy'
    /** Asks as another client; returns whether the answer is the one to this request. */
    const isAnswered = async (id: string) => {
      const connection = await RawConnection.open(port)
      connection.write(
        `GET /time HTTP/1.1\r\nHost: localhost:${port}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`,
      )
      await connection.closed
      const [answer, more] = connection.answers
      return answer?.status === 200 && answer.headers['x-request-id'] === id && more === undefined
    }
    const isPlaced = async (key: string) => {
      const { status } = await server.client.get(`/order/by-client-id/${key}?userid=mallory`)
      return status === 200
    }
    let placed = 0
    for (const [index, { name, bytes }] of SMUGGLING.entries()) {
      const key = `hidden-${index}`
      const connection = await RawConnection.open(port)
      const ids = () => connection.answers.map(({ headers }) => headers['x-request-id'])
      const own = `Host: localhost:${port}`
      connection.write(
        Buffer.from(bytes(hidden(key, code, own)).replaceAll('Host: localhost\r', `${own}\r`), 'latin1'),
      )
      for (let victim = 0; victim < VICTIMS; victim++) {
        const id = `victim-${index}-${victim}`
        if (!(await isAnswered(id))) disagreements.push(`${name}: ${id} got another answer`)
      }
      // Whatever a reader still waits for is in these bytes, and the end of the connection behind it.
      connection.write(`GET /time HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`.repeat(FILLERS))
      await connection.closed
      await server.exchange.drain()
      // Both may read the hidden request as one that follows; then its sender has its answer.
      const wasPlaced = await isPlaced(key)
      // Without a proxy nobody else can be mistaken: bytes behind it may have ended the connection first.
      if (hasProxy && wasPlaced && !ids().includes(key)) {
        disagreements.push(`${name}: placed behind the proxy's back`)
      }
      if (wasPlaced) placed++
    }
    t.same(disagreements, [])
    t.ok(placed > 0 && placed < SMUGGLING.length, 'some requests follow, others are a body', { placed })
    t.comment(`${SMUGGLING.length} forms, ${placed} with a request that both read as one`)
    t.same(server.faults, [])
    t.ok(server.exchange.moneyIsAllThere())
  })
}

/** Returns an order that should be placed only if its sender gets the answer. */
function hidden(key: string, code: string, host: string): string {
  const body = `{"event_id":"${code}","l1_expected_price":1,"l1_order_quantity":1,"offer_type":"buy","order_type":"LO","userid":"mallory","client_order_id":"${key}"}`
  const headers = `${host}\r\nX-Request-Id: ${key}\r\nContent-Length: ${body.length}\r\n`
  return `POST /order/initiate HTTP/1.1\r\n${headers}\r\n${body}`
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
