import { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'
import t from 'tap'
import { maskedUrl, urlFault } from '../../src/webhooks/endpoint-url.js'
import { isGlobalUnicast } from '../../src/webhooks/global-address.js'
import { Dice } from '../fixtures/dice.js'

const NONE = new BlockList()

const REFUSED = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'example.org',
  '',
]
const GLOBAL = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.0.1',
  '100.128.0.1',
  '172.32.0.1',
  '223.255.255.255',
  '2606:4700::1111',
]

t.test('only addresses of the whole internet are reached', async t => {
  for (const address of REFUSED) t.notOk(isGlobalUnicast(address), `${address} is refused`)
  for (const address of GLOBAL) t.ok(isGlobalUnicast(address), `${address} is reached`)
})

t.test('no address is reached that ipaddr.js knows to be special', async t => {
  const dice = Dice.fromEnvironment(t)
  const byte = () => dice.between(0, 255)
  for (let round = 0; round < 20_000; round++) {
    const bytes = Array.from({ length: round % 2 === 0 ? 4 : 16 }, byte)
    // Half of those of IPv6 are where addresses are given out, which few random ones are.
    if (bytes.length === 16 && round % 4 === 1) bytes.splice(0, 4, 0x20, byte() % 3, byte() % 3, byte())
    const address = ipaddr.fromByteArray(bytes)
    if (!isGlobalUnicast(address.toString()) || address.range() === 'unicast') continue
    t.fail(`${address.toString()} is ${address.range()}`)
  }
})

t.test('an address is refused before anything is sent to it', async t => {
  const faults: Record<string, string | undefined> = {
    'https://hooks.example.org/x?y=z': undefined,
    'https://hooks.example.org:8443/x': undefined,
    'https://[2606:4700::1111]/x': undefined,
    'http://hooks.example.org/x': 'url: Expected https',
    'ftp://hooks.example.org/x': 'url: Expected https',
    'https://hooks.example.org:8080/x': 'url: Expected port 443 or 8443',
    'https://u:p@hooks.example.org/': 'url: Expected no user name and no password',
    'https://hooks.example.org/#x': 'url: Expected no fragment',
    'hooks.example.org': 'url: Expected an address such as https://chat.example.org/hook',
  }
  for (const [url, fault] of Object.entries(faults)) t.equal(urlFault(url, NONE), fault, url)
  const local = [
    'localhost',
    'a.localhost',
    'localhost.',
    'intranet',
    'printer.local',
    '127.1',
    '2130706433',
    '0x7f.1',
  ]
  for (const host of [...local, '017700000001', '[::1]', '[::ffff:7f00:1]', '[fe80::1]', '10.0.0.1']) {
    t.match(urlFault(`https://${host}/x`, NONE), /not one of this machine or network/, host)
  }
})

t.test("an operator's own network may be reached, over plain HTTP and at any port", async t => {
  const own = new BlockList()
  own.addSubnet('10.0.0.0', 24)
  t.equal(urlFault('http://10.0.0.7:8065/hooks/x', own), undefined)
  t.equal(urlFault('http://chat:8065/hooks/x', own), undefined, 'its name is looked at when it is resolved')
  t.match(urlFault('http://10.0.1.7:8065/hooks/x', own), /Expected https/)
  t.match(urlFault('ftp://10.0.0.7/x', own), /Expected https/)
})

t.test('what may be secret in an address is not shown', async t => {
  t.equal(
    maskedUrl('https://hooks.example.org:8443/services/T0/B0/secret?k=v'),
    'https://hooks.example.org:8443/…',
  )
})
