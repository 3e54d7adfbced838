const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML forbids, and halves of characters. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Escapes a text for the content of an element, or a quoted attribute, of HTML or XML. */
export function escaped(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"']/g, sign => ENTITIES[sign] ?? '')
}
