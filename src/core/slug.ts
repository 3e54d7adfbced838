/**
 * Returns the URL-friendly form of a title, unique among events (specification 2.2, 10.5): lower-case words
 * joined by hyphens. Keeps letters, marks and digits of any script, drops everything else; may be empty.
 */
export function slugOf(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\s_-]/gu, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '')
}
