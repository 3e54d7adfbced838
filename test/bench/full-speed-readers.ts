import { HttpLine } from './http-line.js'

/**
 * A process that reads as fast as it can over this many connections until SIGTERM, and prints the
 * number of reads as JSON. Start: node full-speed-readers.js <url> <path> <connections>
 */
const [url = '', path = '', connections = '0'] = process.argv.slice(2)
const request = HttpLine.request(url, path)
const lines = await Promise.all(Array.from({ length: Number(connections) }, () => HttpLine.open(url)))
let isReading = true
let reads = 0

async function read(line: HttpLine): Promise<void> {
  while (isReading) {
    const answer = await line.ask(request)
    if (!answer.includes('HTTP/1.1 200 ')) throw new Error(`a read was answered ${answer.toString()}`)
    reads++
  }
  line.end()
}

process.once('SIGTERM', () => {
  isReading = false
})
process.stdout.write('ready\n')
const start = performance.now()
await Promise.all(lines.map(read))
const perSecond = (reads / (performance.now() - start)) * 1000
process.stdout.write(`${JSON.stringify({ perSecond })}\n`, () => process.exit(0))
