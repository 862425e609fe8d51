/** The CI services that `petspec init` supports. */
export const CI_SERVICES = ['github', 'gitlab'] as const;
export type CiService = (typeof CI_SERVICES)[number];

/** Whether a name is a supported CI service. */
export function isService(name: string): name is CiService {
  return CI_SERVICES.some((each) => each === name);
}
