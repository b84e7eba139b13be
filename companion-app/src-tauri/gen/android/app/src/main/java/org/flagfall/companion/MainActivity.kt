package org.flagfall.companion

import android.os.Bundle
import android.view.WindowManager
import androidx.activity.enableEdgeToEdge

/** The one window. Keeps the screen on while it is seen, which a page in it cannot ask for on Android. */
class MainActivity : TauriActivity() {
  override fun onCreate(savedInstanceState: Bundle?) {
    enableEdgeToEdge()
    super.onCreate(savedInstanceState)
    window.addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON)
  }
}
