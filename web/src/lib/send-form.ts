interface FormRequest {
  method: string
  headers: Record<string, string>
  signal: AbortSignal | undefined
}

/** Sends fields and files as multipart/form-data. By XMLHttpRequest, because `fetch` does not tell how much has been sent. */
export function sendForm(
  url: string,
  { method, headers, signal }: FormRequest,
  fields: Record<string, string | Blob>,
  onProgress: (share: number) => void = () => {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.open(method, url)
    request.responseType = 'blob'
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () =>
      resolve(new Response(request.response as Blob, { status: request.status, headers: headersOf(request) }))
    request.onerror = () => reject(new TypeError('the request failed'))
    request.onabort = () => reject(signal?.reason ?? new TypeError('the request was aborted'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

const headersOf = (request: XMLHttpRequest) =>
  request
    .getAllResponseHeaders()
    .split('\r\n')
    .flatMap((line): [string, string][] => {
      const [name = '', ...value] = line.split(': ')
      return name ? [[name, value.join(': ')]] : []
    })
