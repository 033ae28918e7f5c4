import { FboKind } from '@isotherm/contract/company.ts'
import { ActionIcon, Button, Group, Input, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { newRequestId } from '../../../lib/request-id.ts'
import frames from '../../../ui/frames.module.css'
import type { PpecbFields } from '../ppecb-values.ts'

const most = 200

/** Codes of production units, pack houses and others: a row each. */
export function FboCodes({ fields, readOnly }: { fields: PpecbFields; readOnly: boolean }) {
  const { t } = useTranslation('company')
  const { getInputProps, values } = fields
  return (
    <Input.Wrapper label={t('fbo.title')} labelElement="div">
      <div className={frames.stack}>
        {values.fboCodes.map(({ key, code }, index) => (
          <Group key={key} gap="xs" align="start" role="group" aria-label={code || t('fbo.code')}>
            <TextInput
              aria-label={t('fbo.code')}
              placeholder={t('fbo.code')}
              maxLength={20}
              w={110}
              readOnly={readOnly}
              {...getInputProps(`fboCodes.${index}.code`)}
            />
            <NativeSelect
              aria-label={t('fbo.kind')}
              disabled={readOnly}
              data={FboKind.options.map((value) => ({ value, label: t(`fbo.kinds.${value}`) }))}
              {...getInputProps(`fboCodes.${index}.kind`)}
            />
            <TextInput
              aria-label={t('fbo.name')}
              placeholder={t('fbo.name')}
              maxLength={120}
              flex={1}
              miw={120}
              readOnly={readOnly}
              {...getInputProps(`fboCodes.${index}.name`)}
            />
            {!readOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('fbo.remove', { code })}
                onClick={() => fields.removeListItem('fboCodes', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!readOnly && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} />}
            disabled={values.fboCodes.length >= most}
            onClick={() => fields.insertListItem('fboCodes', { key: newRequestId(), code: '', kind: 'puc', name: '' })}
          >
            {t('fbo.add')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
