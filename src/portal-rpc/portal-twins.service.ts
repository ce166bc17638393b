import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { effectiveCatalogRoute } from '../effective-catalog/public.js';
import { routesOfController, type DeclaredRoute } from '../platform/http/operation.js';
import { portalActions } from './portal-action.js';

/** The operations over HTTP that the actions of the portal stand for. */
@Injectable()
export class PortalTwins {
  private readonly routes: ReadonlyMap<string, DeclaredRoute>;

  /** Throws where an action names an operation that there is not. */
  constructor(discovery: DiscoveryService) {
    const controllers = discovery.getControllers().flatMap(({ metatype }) => {
      return typeof metatype === 'function' ? [metatype as Parameters<typeof routesOfController>[0]] : [];
    });
    const routes = [...controllers.flatMap(routesOfController), effectiveCatalogRoute];
    this.routes = new Map(routes.map((route) => [route.operation.id, route]));
    for (const { operation, list } of portalActions.values())
      for (const id of [operation, ...(list === undefined ? [] : [list.operation])]) this.named(id);
  }

  named(id: string): DeclaredRoute {
    const route = this.routes.get(id);
    if (route === undefined) throw new Error(`No route has the operation ${id}.`);
    return route;
  }
}
