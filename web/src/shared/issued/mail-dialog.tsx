import { users } from '@isotherm/contract/users.ts'
import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useCan } from '../../lib/can.ts'
import { refetchCalls, useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { ChooseMany, type Chosen } from '../../ui/form/choose-many.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import type { Issue, IssuedKind, ReportChoice } from './issued-kind.ts'

interface MailDialogProps<R extends Issue> {
  kind: IssuedKind<R>
  choices: readonly ReportChoice[]
  nameOf: (choice: ReportChoice) => string
  onClose: () => void
}

interface Values {
  choice: string
  recipients: Chosen[]
}

const Order = z.object({ recipients: z.array(z.string()).min(1).max(20) })

/** Asks as what and to whom a report is mailed; who may not see the team mails it to themselves. */
export function MailDialog<R extends Issue>({ kind, choices, nameOf, onClose }: MailDialogProps<R>) {
  const { t } = useTranslation('issued')
  const seesTeam = useCan('users.view')
  const own = useSession(({ profile }) => profile)
  const form = useEntityForm<Values, z.infer<typeof Order>, R | undefined>({
    initialValues: {
      choice: choices[0] ? nameOf(choices[0]) : '',
      recipients: own ? [{ id: own.id, label: own.fullname }] : [],
    },
    schema: Order,
    toBody: ({ recipients }) => ({ recipients: recipients.map(({ id }) => id) }),
    save: async ({ recipients }, values) => {
      const choice = choices.find((one) => nameOf(one) === values.choice)
      return choice && kind.order(choice, recipients)
    },
    onSaved: (_, { recipients }) => {
      toastSuccess(t('mailed', { names: recipients.map(({ label }) => label).join(', ') }))
      void refetchCalls(kind.list)
      onClose()
    },
  })
  const values = form.fields.getValues()
  return (
    <FormDialog title={kind.title} form={form} submitLabel={t('send')} onClose={onClose}>
      {choices.length > 1 && (
        <Select
          label={t('format')}
          data={choices.map(nameOf)}
          allowDeselect={false}
          {...form.fields.getInputProps('choice')}
        />
      )}
      {seesTeam ? (
        <ChooseMany
          label={t('recipients')}
          placeholder={t('choose')}
          path="recipients"
          description={t('recipientsHelp')}
          error={form.fields.errors.recipients}
          chosen={values.recipients}
          onChange={(recipients) => form.fields.setFieldValue('recipients', recipients)}
          useFound={useTeam}
        />
      ) : (
        <Text size="sm">{t('toYou', { email: own?.email ?? '' })}</Text>
      )}
    </FormDialog>
  )
}

function useTeam(search: string): Chosen[] {
  const answer = useCall(users.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true })
  return (answer.data?.data ?? []).map(({ id, fullname }) => ({ id, label: fullname }))
}
