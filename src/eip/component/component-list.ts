/** A component that routes of the server may use. */
export interface RouteComponent {
  readonly name: string;
  readonly schemes: readonly string[];
  /** Whether its endpoints are outside of the server. */
  readonly isRemote: boolean;
}

const within = (...schemes: readonly string[]): RouteComponent => ({
  name: schemes[0] ?? '',
  schemes,
  isRemote: false,
});
const outside = (...schemes: readonly string[]): RouteComponent => ({ ...within(...schemes), isRemote: true });

/** The components of `components.ts`, for those who only name them: their code is loaded where routes run. */
export const COMPONENT_LIST: readonly RouteComponent[] = [
  within('bean'),
  within('bpm'),
  within('class'),
  within('cms'),
  within('controlbus'),
  within('cron'),
  within('direct'),
  outside('file'),
  outside('http', 'https'),
  within('kamelet'),
  within('language'),
  within('log'),
  within('mock'),
  outside('platform-http'),
  within('quartz'),
  within('ref'),
  outside('rest'),
  within('scheduler'),
  within('seda'),
  within('stub'),
  within('timer'),
];
