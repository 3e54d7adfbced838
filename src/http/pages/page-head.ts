import { escaped } from '../share/markup.js'

/** The head of one page, in place of the head of all pages. */
export interface PageHead {
  readonly title: string
  readonly description: string
  /** Elements of HTML, for the end of the head. */
  readonly elements: string
}

/** Puts a head into a page. */
export function withHead(html: string, { title, description, elements }: PageHead): string {
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(
      /<meta name="description" content="[^"]*">/,
      () => `<meta name="description" content="${escaped(description)}">`,
    )
    .replace('</head>', () => `${elements}\n</head>`)
}
