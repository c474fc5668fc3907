/** A web application as its `app.yml` describes it. What it does not say, or says in another form, is null, false or none. */
export interface AppDescriptor {
  readonly identifier: string | null;
  readonly title: string | null;
  readonly icon: string | null;
  readonly category: string | null;
  readonly editor: boolean;
  readonly contentTypes: readonly string[];
  /** Null: it does not say. */
  readonly enableStartMenu: boolean | null;
  readonly isAdminOnly: boolean;
  readonly singleton: boolean;
  readonly customWindowControls: boolean;
  readonly minimumWidth: number | null;
  readonly minimumHeight: number | null;
  readonly actions: readonly AppAction[];
  /** Why it cannot be read; null: it can. */
  readonly problem: string | null;
}

export interface AppAction {
  readonly identifier: string;
  readonly label: string | null;
  readonly title: string | null;
  readonly icon: string | null;
  readonly handler: string | null;
}

/** The empty descriptor, with its problem, that is shown where one cannot be read. */
export const brokenDescriptor = (problem: string): AppDescriptor => ({ ...descriptorOf({}), problem });

const INT_MAX = 2_147_483_647;

type Fields = Readonly<Record<string, unknown>>;

/** Whether it is fields, each with a name. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A descriptor with these fields. */
export function descriptorOf(fields: Fields): AppDescriptor {
  const { contentTypes, actions, enableStartMenu } = fields;
  return {
    identifier: text(fields.identifier),
    title: text(fields.title),
    icon: text(fields.icon),
    category: text(fields.category),
    editor: flag(fields.editor),
    contentTypes: Array.isArray(contentTypes) ? contentTypes.flatMap((one) => text(one) ?? []) : [],
    enableStartMenu: enableStartMenu == null ? null : flag(enableStartMenu),
    isAdminOnly: flag(fields.isAdminOnly),
    singleton: flag(fields.singleton),
    customWindowControls: flag(fields.customWindowControls),
    minimumWidth: whole(fields.minimumWidth),
    minimumHeight: whole(fields.minimumHeight),
    actions: isFields(actions) ? Object.entries(actions).map(([name, action]) => actionOf(name, action)) : [],
    problem: null,
  };
}

function actionOf(identifier: string, action: unknown): AppAction {
  const { label, title, icon, handler } = isFields(action) ? action : ({} as Fields);
  return { identifier, label: text(label), title: text(title), icon: text(icon), handler: text(handler) };
}

const text = (value: unknown): string | null =>
  value !== '' && ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;

const flag = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.toLowerCase() === 'true');

function whole(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= INT_MAX ? number : null;
}
