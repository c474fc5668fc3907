import { badRequest } from '../../shared/errors.js';
import type { Draft } from '../../store/index.js';
import { dropText, storeText } from '../collection/route-text.js';
import { type RouteTemplate, routeTemplates, templateTextOf } from '../collections.js';
import type { ReadTemplate } from '../eip-services.js';

/** Makes the templates of a file known. @throws BAD_REQUEST (another file has one of that id) */
export function publishTemplates(draft: Draft, fileId: string, templates: readonly ReadTemplate[]): void {
  withdrawTemplates(draft, fileId);
  for (const [place, template] of templates.entries()) {
    const { id } = template.model;
    if (draft.get(routeTemplates, id) !== undefined)
      throw badRequest(`expected an id that no other template has, but there is a template '${id}'`, {
        reason: 'template_exists',
        resourceId: id,
      });
    draft.put(routeTemplates, documentOf(draft, template, { fileId, place }));
  }
}

const documentOf = (
  draft: Draft,
  template: ReadTemplate,
  place: Pick<RouteTemplate, 'fileId' | 'place'>,
): RouteTemplate => {
  const { id, options, parameters } = template.model;
  return {
    ...{ id, ...place, description: typeof options.description === 'string' ? options.description : null },
    parameters: parameters.map(({ name, required, defaultValue, description }) => ({
      ...{ name, required, defaultValue: defaultValue ?? null, description: description ?? null },
    })),
    ...storeText(draft, templateTextOf(id), JSON.stringify(template)),
  };
};

export function withdrawTemplates(draft: Draft, fileId: string): void {
  for (const template of draft.find(routeTemplates, 'file', [fileId])) {
    dropText(draft, templateTextOf(template.id), template);
    draft.remove(routeTemplates, template.id);
  }
}
