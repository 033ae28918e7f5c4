import { apiBase } from '@isotherm/contract/call.ts'

export const languages = ['curl', 'typescript', 'python'] as const
export type Language = (typeof languages)[number]

/** The environment variable that holds the secret in every sample. */
const variable = 'ISOTHERM_KEY'

/** The first call of a program, to be copied; `comment` names the key whose secret it needs. */
export function codeSample(language: Language, { origin, comment }: { origin: string; comment: string }): string {
  const url = `${origin}${apiBase}/devices?perPage=5`
  if (language === 'curl')
    return `# ${comment}
export ${variable}=isokey_...
curl --fail-with-body \\
  "${url}" \\
  -H "Authorization: Bearer $${variable}"`
  if (language === 'typescript')
    return `// ${comment}
const answer = await fetch('${url}', {
  headers: { authorization: \`Bearer \${process.env.${variable}}\` },
})
const { success, payload, message } = await answer.json()
if (!success) throw new Error(message)
for (const { id, name } of payload.data) console.log(id, name)`
  return `# ${comment}
import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['${variable}']}"},
)
with urllib.request.urlopen(request) as answer:
    for device in json.load(answer)["payload"]["data"]:
        print(device["id"], device["name"])`
}

/** A call with a secret that was made just now. */
export const tryCommand = (origin: string, secret: string): string =>
  `curl "${origin}${apiBase}/business-api" \\
  -H "Authorization: Bearer ${secret}"`
