/** How many files this process may have open, each connection being one; undefined where nobody knows. */
export function openFilesMax(): number | undefined {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
  }
  const soft = userLimits?.open_files?.soft
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY
  return typeof soft === 'number' ? soft : undefined
}
