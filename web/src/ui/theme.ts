import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { decimalSeparator } from '../lib/numbers.ts'

// Neutral ink carries the actions, because colour is kept for state.
const ink: MantineColorsTuple = [
  '#f4f6f8',
  '#e6eaee',
  '#cdd4db',
  '#aab4bf',
  '#8792a0',
  '#65717f',
  '#4a5563',
  '#323c48',
  '#1f2832',
  '#12171d',
]
// Mantine's dark surfaces, from text (0) to ground (9).
const dark: MantineColorsTuple = [
  '#e6e9ee',
  '#c2c9d2',
  '#a3adb8',
  '#7f8a97',
  '#3b4551',
  '#2f3842',
  '#232b34',
  '#1a2027',
  '#141a20',
  '#0e1216',
]
const red: MantineColorsTuple = [
  '#fdeeee',
  '#fbdcdc',
  '#f5b5b5',
  '#ef8b8c',
  '#e96768',
  '#e14a4c',
  '#d0353a',
  '#b8262c',
  '#9b1d23',
  '#7c151a',
]

// The primary colour is dark in light mode and light in dark mode: what lies on it must turn round too, which Mantine's
// own contrast rule, blind to the mode, does not do.
const onPrimary = 'var(--mantine-primary-color-contrast)'
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  const primary = input.color === undefined || input.color === input.theme.primaryColor
  return input.variant === 'filled' && primary ? { ...colors, color: onPrimary } : colors
}

/** Dialogs and drawers: two lines of a long title stand apart. */
const dialogTitle = { fontWeight: 650, fontSize: '1.0625rem', lineHeight: 1.35 }

export const theme = createTheme({
  variantColorResolver,
  primaryColor: 'ink',
  primaryShade: { light: 8, dark: 1 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { ink, dark, red },
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // A link has the colour of text: without its line nobody would see that it is one.
    Anchor: { defaultProps: { underline: 'always' } },
    // The chosen one stands out as a pressed chip does (chip.module.css), also in the dark.
    SegmentedControl: {
      vars: () => ({
        root: { '--sc-color': 'var(--mantine-color-text)', '--sc-label-color': 'var(--mantine-color-body)' },
      }),
    },
    // Typed numbers have the decimal mark of shown ones; both marks are understood.
    NumberInput: {
      defaultProps: () => ({ decimalSeparator: decimalSeparator(), allowedDecimalSeparators: ['.', ','] }),
    },
    // `base.css` draws the mark of required fields, as no part of their label's text.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Checkbox: { defaultProps: { iconColor: onPrimary } },
    Radio: { defaultProps: { iconColor: onPrimary } },
    // A field is as dark as `--hover` in the dark.
    Pill: { styles: { root: { background: 'var(--line)' } } },
    Modal: {
      defaultProps: { transitionProps: { duration: 150 }, centered: true },
      styles: {
        content: { background: 'var(--surface)' },
        header: { background: 'var(--surface)' },
        title: dialogTitle,
      },
    },
    // Else the head of a dialog is a second banner beside the shell's (axe).
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Drawer: {
      defaultProps: { transitionProps: { duration: 150 } },
      styles: { title: dialogTitle },
    },
    // Mantine's placeholder for the first focus is a focusable child that a menu must not have (axe).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 150 }, shadow: 'md' } },
    Popover: { defaultProps: { transitionProps: { duration: 150 }, shadow: 'md' } },
    // A form that says what is wrong gives the field the focus: a list that opened then would cover the words.
    Select: { defaultProps: { openOnFocus: false, comboboxProps: { transitionProps: { duration: 150 } } } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    Tooltip: {
      defaultProps: {
        openDelay: 250,
        transitionProps: { duration: 150 },
        events: { hover: true, focus: true, touch: true },
      },
    },
    // Mantine judges the contrast by the light scheme's shade only.
    Pagination: { vars: () => ({ root: { '--pagination-active-color': 'var(--mantine-primary-color-contrast)' } }) },
    // Mantine writes it in the colour of its ground: orange on pale orange is 3:1.
    Alert: {
      styles: {
        title: { color: 'var(--mantine-color-text)' },
        // Mantine hides what is outside of the words: the ring around a check box with the focus was cut.
        message: { overflow: 'visible', overflowWrap: 'anywhere' },
      },
    },
    Table: { defaultProps: { verticalSpacing: 'xs' } },
  },
})

/** Mantine's own greys are too pale for small text: these reach 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-primary-color-contrast': '#ffffff',
    '--mantine-color-body': '#f6f7f9',
    '--mantine-color-text': '#1d232b',
    '--mantine-color-dimmed': '#56616d',
    '--mantine-color-placeholder': '#67727e',
    '--mantine-color-error': '#b8262c',
    '--mantine-color-anchor': '#1f2832',
    '--mantine-color-default-border': '#c9d0d8',
  },
  dark: {
    '--mantine-primary-color-contrast': '#12171d',
    '--mantine-color-body': '#12161b',
    '--mantine-color-text': '#e6e9ee',
    '--mantine-color-dimmed': '#a3adb8',
    '--mantine-color-placeholder': '#8b96a3',
    '--mantine-color-error': '#ff8d8d',
    '--mantine-color-anchor': '#e6e9ee',
    '--mantine-color-default': '#1a2027',
    '--mantine-color-default-hover': '#232b34',
    '--mantine-color-default-border': '#3b4551',
    // Mantine makes the pale ink from the light scheme's shade: darker than the cards, as if pressed were not.
    '--mantine-color-ink-light': '#2d3641',
    '--mantine-color-ink-light-hover': '#343e4a',
  },
})
