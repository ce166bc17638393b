import { Module } from '@nestjs/common';
import { Previews, PreviewsController } from './previews.routes.js';

@Module({ controllers: [PreviewsController], providers: [Previews] })
export class PreviewsModule {}
