/** The logo, linked to the bundle’s first page. */
export function Brand({ href }: { readonly href: string }) {
  return (
    <a class="brand" href={href}>
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M8 21l6-7 4 4 6-8" />
      </svg>
      <span>Raay</span>
    </a>
  )
}
