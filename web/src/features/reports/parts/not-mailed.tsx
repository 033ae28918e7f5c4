import type { Report } from '@isotherm/contract/reports.ts'
import { Stack, Text } from '@mantine/core'
import { NotHeard, Vouch } from '../../../ui/not-heard.tsx'

type Recipient = Report['recipients'][number]

interface NotMailedProps {
  report: Report
  /** Whether a recipient is still one, in the form. */
  isStill?: (recipient: Recipient) => boolean
  vouched?: string[]
  /** The addresses that an Admin vouches for; left out where nothing is edited. */
  onVouch?: (vouched: string[]) => void
}

/** The recipients of a report who get no file that tells of a private device, and of which devices that is. */
export function NotMailed({ report, isStill = () => true, vouched = [], onVouch }: NotMailedProps) {
  const { privateDevices, privateDeviceCount } = report
  const deaf = report.recipients.filter((each) => !each.hearsPrivate && isStill(each))
  const shown = deaf.filter(({ userId }) => privateDeviceCount > 0 || (onVouch && userId === null))
  return shown.map(({ userId, name, email }) => (
    <Stack key={email} gap={2}>
      <Text size="sm">{name ?? email}</Text>
      {!vouched.includes(email) && <NotHeard devices={privateDevices} count={privateDeviceCount} />}
      {onVouch && userId === null && (
        <Vouch
          name={email}
          checked={vouched.includes(email)}
          onChange={(checked) => onVouch(checked ? [...vouched, email] : vouched.filter((each) => each !== email))}
        />
      )}
    </Stack>
  ))
}
