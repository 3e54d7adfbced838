import { readFileSync } from 'node:fs'

/** The Hindi texts: their page waits for them, so that they cannot wait for the page. */
const WAITED_FOR = '/texts/hi/'

/**
 * Keeps what a page has loaded at first in one file. esbuild cuts shared code by which entries reach it: twenty small files,
 * which compress badly and cost a request each. So each part that is loaded later imports the page, which is there by
 * then, and everything of the page is reached by all of them.
 */
export function laterPlugin(page) {
  return {
    name: 'later',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== 'dynamic-import' || pluginData?.isResolved) return undefined
        const found = await resolve(path, { ...from, kind, pluginData: { isResolved: true } })
        return { ...found, pluginData: { isLater: !found.path.includes(WAITED_FOR) } }
      })
      onLoad({ filter: /\.tsx?$/ }, ({ path, pluginData }) => {
        if (!pluginData?.isLater) return undefined
        const contents = `import ${JSON.stringify(page)}\n${readFileSync(path, 'utf8')}`
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}
