import type { SampleRequest } from './sample-request.js'

/** Returns a TypeScript program that sends a request and prints the answer. */
export function typescriptSample({ method, url, body, isGuarded }: SampleRequest): string {
  const headers = [
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
    ...(isGuarded ? ['Authorization: `Bearer ${process.env.RAAY_KEY}`'] : []),
  ]
  const options = [
    ...(method === 'get' ? [] : [`  method: '${method.toUpperCase()}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indented(JSON.stringify(body, undefined, 2))}),`]),
  ]
  const about = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  return `const answer = await fetch(${JSON.stringify(url)}${about})\nconsole.log(await answer.json())`
}

/** Returns a Python program that sends a request and prints the answer. */
export function pythonSample({ method, url, body, isGuarded }: SampleRequest): string {
  const options = [
    ...(isGuarded ? [`    headers={"Authorization": f"Bearer {os.environ['RAAY_KEY']}"},`] : []),
    ...(body === undefined ? [] : [`    json=${indented(pythonText(body), '    ')},`]),
  ]
  const about =
    options.length === 0 ? JSON.stringify(url) : `\n    ${JSON.stringify(url)},\n${options.join('\n')}\n`
  return [
    ...(isGuarded ? ['import os'] : []),
    'import requests',
    '',
    `answer = requests.${method}(${about})`,
    'print(answer.json())',
  ].join('\n')
}

const indented = (text: string, by = '  ') => text.replaceAll('\n', `\n${by}`)

/** Writes a JSON value as Python does; texts are the same in both. */
function pythonText(value: unknown, indent = ''): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${indent}    `
  const lines = Object.entries(value).map(
    ([name, part]) => `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${pythonText(part, inner)},`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join('\n')}\n${indent}${close}`
}
