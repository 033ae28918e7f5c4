import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AlarmValues } from '../alarm-values.ts'
import { FenceSentence } from './fence-sentence.tsx'
import classes from './form.module.css'
import type { PartProps, Places } from './form-props.ts'
import { AmountField, FieldErrors, Sentence } from './sentence.tsx'
import { ValueSentences } from './value-sentences.tsx'

const kinds = ['value', 'fence', 'noData'] as const

/** "When does it fire": a sentence with fields. The kind of an alarm that is there stays. */
export function RuleFields(props: PartProps & { places: Places; fixedKind: boolean }) {
  const { t } = useTranslation('alarms')
  const { values, change, fixedKind } = props
  return (
    <Stack gap="sm">
      {!fixedKind && (
        <SegmentedControl
          className={classes.kinds}
          aria-label={t('form.kind')}
          value={values.kind}
          onChange={(kind) => change({ kind: kind as AlarmValues['kind'] })}
          data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
      )}
      {values.kind === 'value' && <ValueSentences {...props} />}
      {values.kind === 'fence' && <FenceSentence {...props} />}
      {values.kind === 'noData' && <NoDataSentence {...props} />}
    </Stack>
  )
}

function NoDataSentence({ values, change, errors }: PartProps) {
  const { t } = useTranslation('alarms')
  return (
    <div>
      <Sentence
        text={t('form.sentences.noData')}
        fields={{
          after: (
            <AmountField
              label={t('form.amounts.afterMinutes')}
              unit={t('units.min')}
              value={values.afterMinutes}
              onChange={(afterMinutes) => change({ afterMinutes })}
              path="rule.afterMinutes"
              error={errors['rule.afterMinutes']}
            />
          ),
        }}
      />
      <FieldErrors errors={errors} paths={['rule.afterMinutes']} />
      <Text size="xs" c="dimmed" mt={4}>
        {t('form.noDataHelp')}
      </Text>
    </div>
  )
}
