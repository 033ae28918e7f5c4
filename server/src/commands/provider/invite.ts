import { Email } from '@isotherm/contract/common.ts'
import { signUpInvitation } from '../../platform/auth/sign-up-invitations.ts'
import { installationSecret } from '../../platform/config/secret.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'

const goodForMs = 14 * 86_400_000

/** Prints a link by which one mail address signs a company up while REGISTRATION is "invite". */
export async function invite({ dataDir, publicUrl, out }: ProviderTools, address: string): Promise<void> {
  const email = Email.safeParse(address)
  if (!email.success) throw new UsageError('Give a mail address: provider invite somebody@company.example')
  if (!dataDir || !publicUrl) throw new UsageError('No DATA_DIR, where the secret is.')
  const until = new Date(Date.now() + goodForMs)
  const code = signUpInvitation(await installationSecret(dataDir), email.data, until)
  out(`${publicUrl}/signup#${code}`)
  out(`For ${email.data} only, until ${until.toISOString().slice(0, 10)}.`)
}
