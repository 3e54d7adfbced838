import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'

const STYLE = `body { margin: 16px; font: 13px sans-serif; background: #888 }
  main { display: grid; grid-template-columns: repeat(6, 400px); gap: 16px }
  figure { margin: 0; padding: 8px; background: #fff }
  img { display: block; width: 384px; height: 480px; object-fit: cover; object-position: top }
  .phone img { width: 200px; margin: 0 auto }
  figcaption { padding-top: 6px }`

/** Puts pictures on one sheet, as a page to browse and as one picture. */
export async function makeSheet(
  browser: Browser,
  directory: string,
  name: string,
  pictures: readonly string[],
): Promise<string> {
  const figures = pictures.map(picture => {
    const kind = picture.includes('-phone-') ? 'phone' : 'desk'
    const caption = `<figcaption>${basename(picture, '.png')}</figcaption>`
    return `<figure class="${kind}"><img src="${picture}" alt="">${caption}</figure>`
  })
  const page = join(directory, `sheet-${name}.html`)
  writeFileSync(page, `<!doctype html><style>${STYLE}</style><main>${figures.join('\n')}</main>\n`)
  const sheet = await browser.newPage({ viewport: { width: 2530, height: 1000 } })
  await sheet.goto(pathToFileURL(page).href)
  const file = join(directory, `sheet-${name}.png`)
  await sheet.screenshot({ path: file, fullPage: true })
  await sheet.close()
  return file
}
