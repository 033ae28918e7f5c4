/** Downloads a document of the shipment: the token is in the body, so that it is in no log. False where it cannot be had. */
export async function openDocument(token: string, documentNo: number): Promise<boolean> {
  try {
    const response = await fetch('/app/api/v1/shipment-link/document', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, documentNo }),
      referrerPolicy: 'no-referrer',
    })
    if (!response.ok) return false
    const name = /filename="?([\w.-]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'document'
    const url = URL.createObjectURL(await response.blob())
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    URL.revokeObjectURL(url)
    return true
  } catch {
    return false
  }
}
