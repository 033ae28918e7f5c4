import { askFile } from '../link-pages/ask-file.ts'

/** Downloads a document of the shipment. False where it cannot be had. */
export async function openDocument(token: string, documentNo: number): Promise<boolean> {
  const response = await askFile('/shipment-link/document', { token, documentNo })
  const content = await response?.blob().catch(() => null)
  if (!content) return false
  const name = /filename="?([\w.-]+)/.exec(response?.headers.get('content-disposition') ?? '')?.[1] ?? 'document'
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
  return true
}
