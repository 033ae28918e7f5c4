/** The sign of the product: two isotherms. */
export const Mark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0b6e66" />
    <path
      d="M5 12c4-4 7 4 11 0s7-4 11 0M5 20c4-4 7 4 11 0s7-4 11 0"
      fill="none"
      stroke="#fff"
      strokeWidth="2.4"
      strokeLinecap="round"
    />
  </svg>
)
