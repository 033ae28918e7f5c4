import {
  type ApiKey,
  type DeveloperSettings,
  developer,
  KeyInput,
  keyLifetimes,
  Network,
} from '@isotherm/contract/developer.ts'
import { modules, neverOfKeys, type PermissionMatrix } from '@isotherm/contract/permissions.ts'
import { Checkbox, Input, NativeSelect, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Matrix } from '../../../shared/permissions/permission-matrix.tsx'
import { withAction } from '../../../shared/permissions/with-action.ts'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import type { Secret } from './secret-dialog.tsx'

const nothing = Object.fromEntries(
  modules.map((module) => [module, { view: module === 'devices', addOrEdit: false, export: false }]),
) as PermissionMatrix

interface KeyFormProps {
  /** The key to change; null makes one. */
  known: ApiKey | null
  onMade: (secret: Secret) => void
  onClose: () => void
}

/** The fields that people type, as the contract checks them; what is wrong with one network is said at all of them. */
const Typed = z.looseObject({
  name: KeyInput.shape.name,
  networks: z.array(z.string()).refine((list) => list.every((one) => Network.safeParse(one).success), 'network'),
})

/** Makes a key, or changes what it may do, from where and for how long. */
export function KeyForm({ known, onMade, onClose }: KeyFormProps) {
  const { t } = useTranslation('developer')
  const form = useEntityForm({
    initialValues: {
      name: known?.name ?? '',
      permissions: known?.permissions ?? nothing,
      lifetime: known ? '' : '365',
      networks: known?.networks ?? [],
      seesPrivate: known?.seesPrivate ?? false,
    },
    schema: Typed,
    toBody: ({ lifetime, ...values }) => ({
      ...values,
      ...(known && { id: known.id }),
      ...(lifetime !== '' && { expiresInDays: Number(lifetime) as (typeof keyLifetimes)[number] }),
    }),
    save: (key) => call(developer.save, { body: { keys: [key] } }),
    onSaved: (saved: DeveloperSettings) => {
      void refetchCalls(developer.settings)
      const made = saved.keys.find(({ secret }) => secret !== undefined)
      if (made?.secret) return onMade({ key: made, secret: made.secret })
      toastSuccess(t('keys.changed'))
      onClose()
    },
  })
  const { getInputProps, getValues, setFieldValue } = form.fields
  const { permissions } = getValues()
  return (
    <FormDrawer
      title={known ? t('form.edit', { name: known.name }) : t('form.add')}
      form={form}
      submitLabel={known ? t('common:actions.save') : t('form.submit')}
      onClose={onClose}
    >
      <TextInput
        label={t('form.name')}
        description={t('form.nameHelp')}
        data-autofocus
        maxLength={80}
        {...getInputProps('name')}
      />
      <Input.Wrapper
        component="div"
        role="group"
        aria-label={t('form.permissions')}
        label={t('form.permissions')}
        labelElement="div"
      >
        <Matrix
          matrix={permissions}
          without={neverOfKeys}
          onChange={(module, action, isAllowed) =>
            setFieldValue('permissions', {
              ...permissions,
              [module]: withAction(permissions[module], action, isAllowed),
            })
          }
        />
      </Input.Wrapper>
      <Checkbox
        label={t('form.seesPrivate')}
        description={t('form.seesPrivateHelp')}
        {...getInputProps('seesPrivate', { type: 'checkbox' })}
      />
      <NativeSelect
        label={t('form.lifetime')}
        description={t('form.lifetimeHelp')}
        data={[
          ...(known ? [{ value: '', label: t('form.sameEnd') }] : []),
          ...keyLifetimes.map((days) => ({ value: String(days), label: t('form.days', { count: days }) })),
        ]}
        {...getInputProps('lifetime')}
      />
      <TagsInput
        label={t('form.networks')}
        description={t('form.networksHelp')}
        placeholder={getValues().networks.length === 0 ? '203.0.113.0/24' : undefined}
        maxTags={20}
        splitChars={[',', ' ']}
        {...getInputProps('networks')}
      />
    </FormDrawer>
  )
}
