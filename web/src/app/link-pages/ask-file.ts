/** Asks for a file: the token is in the body, so that it is in no log. Null where it cannot be had. */
export async function askFile(path: string, body: object): Promise<Response | null> {
  try {
    const response = await fetch(`/app/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      referrerPolicy: 'no-referrer',
    })
    return response.ok ? response : null
  } catch {
    return null
  }
}
